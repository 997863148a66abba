// The mapping of a service, for configs.
export { sandboxShapes } from '../contract/shapes/sandboxShapes.ts'
export type { Shapes, ShapesInput } from '../contract/shapes/shapes.ts'

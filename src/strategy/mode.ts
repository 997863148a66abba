export { MODES, type Mode } from '../contract/enums.ts'

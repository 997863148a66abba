import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../root.ts'
import { dockerfileOf } from './dockerfile.ts'

const ofClone = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const cmdOf = (dockerfile: string) => JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[]

test.each([
  ['of the clone', ofClone, 'src/cli/cornerman.js'],
  ['of a folder of bots', dockerfileOf(ofClone), 'node_modules/cornerman/dist/cli/cornerman.js'],
])('the image %s runs Node itself, so that docker stop reaches the bots', (_, dockerfile, program) => {
  expect(cmdOf(dockerfile)).toEqual(['node', '--v8-pool-size=0', program, 'start', '--data-dir', '/data'])
})

test('a Dockerfile that runs something else is refused', () => {
  expect(() => dockerfileOf('CMD ["npm", "start"]')).toThrow('src/cli/cornerman.js')
})

import { expect, test } from 'vitest'
import { load } from './database.ts'

test('a package that is not installed is named with what installs it', async () => {
  const missing = 'there-is-no-such-package'
  await expect(load(() => import(missing))).rejects.toMatchObject({
    code: 'FLEET_PACKAGES',
    message: expect.stringContaining('npm install pg pg-boss'),
  })
})

test('a package that is there and fails is not called missing', async () => {
  await expect(load(() => Promise.reject(new TypeError('broken')))).rejects.toThrow(TypeError)
})

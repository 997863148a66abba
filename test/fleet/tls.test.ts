import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Certificates } from '../support/fleet/certificates.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FleetHosts } from '../support/fleet/fleetHosts.ts'
import { jsonOf } from '../support/runCornerman.ts'

// A fleet whose database is reached with TLS, by the certificate of a CA of one's own.

const hasOpenssl = () => {
  try {
    return execFileSync('openssl', ['version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}

describe.skipIf(postgresPrograms() === undefined || !hasOpenssl())('a database with TLS', () => {
  const hosts = new FleetHosts('ab'.repeat(32))
  let own: Certificates
  let others: Certificates
  let server: Cluster
  let misnamed: Cluster
  const urlOf = ({ port }: Cluster, settings: string) => `postgres://fleet:p%23ss@localhost:${port}/postgres${settings}`
  const init = async (url: string) => {
    const run = await hosts.ended(['fleet', 'init', '--json'], { url })
    return { code: run.code, words: run.stderr(), document: run.stdout() === '' ? undefined : jsonOf<object>(run) }
  }

  beforeAll(async () => {
    own = new Certificates()
    others = new Certificates()
    server = await Cluster.open(own.settingsFor('localhost'))
    misnamed = await Cluster.open(own.settingsFor('db.example'))
  })
  afterAll(async () => {
    await hosts.close()
    await server?.close()
    await misnamed?.close()
    for (const { folder } of [own, others]) rmSync(folder, { recursive: true, force: true })
  })

  test('is taken by sslrootcert, in bots of a fleet and in searches', async () => {
    const url = urlOf(server, `?sslmode=verify-full&sslrootcert=${own.ca}`)
    expect((await init(url)).document).toMatchObject({ isEncrypted: true })
    const workers = await hosts.ended(['workers', '--fleet', '--json'], { url })
    expect([workers.code, workers.stderr()]).toEqual([0, ''])
  })

  test.each<[string, () => string, RegExp]>([
    ['without its CA', () => urlOf(server, '?sslmode=verify-full'), /trusts: name the file of its CA in the URL, sslrootcert=/],
    [
      'with another CA',
      () => urlOf(server, `?sslmode=verify-full&sslrootcert=${others.ca}`),
      /name the file of its CA in the URL, sslrootcert=/,
    ],
    [
      'with a file that is not there',
      () => urlOf(server, `?sslmode=verify-full&sslrootcert=${join(own.folder, 'gone.pem')}`),
      /gone\.pem.*see that the files that the URL names are there/,
    ],
    [
      'by a name that its certificate is not for',
      () => urlOf(misnamed, `?sslmode=verify-full&sslrootcert=${own.ca}`),
      /db\.example.*the certificate of the server is for another name/,
    ],
  ])('is refused %s, and it is said what to do', async (_what, url, words) => {
    for (const args of [
      ['fleet', 'init'],
      ['workers', '--fleet'],
    ]) {
      const run = await hosts.ended(args, { url: url() })
      expect([run.code, run.stderr()]).toEqual([1, expect.stringMatching(words)])
      expect(run.stderr()).not.toMatch(/p%23ss|p#ss/)
    }
  })

  test.each([
    ['a # in the password', 'postgres://fleet:p#ss@localhost/postgres', /FLEET_DATABASE_URL: a URL ends at its first #.*# as %23/],
    ['a / in the password', 'postgres://fleet:p/ss@localhost/postgres', /FLEET_DATABASE_URL holds no URL of a database.*\/ as %2F/],
    ['an @ in the password', 'postgres://fleet:p@ss@localhost/postgres', /FLEET_DATABASE_URL holds no URL of a database.*@ as %40/],
    ['another address', 'https://fleet:pass@localhost/postgres', /holds no URL of a database/],
  ])('is explained where the URL has %s', async (_what, url, words) => {
    for (const args of [
      ['fleet', 'init'],
      ['workers', '--fleet'],
      ['stop', '--now', '--fleet'],
    ]) {
      const run = await hosts.ended(args, { url })
      expect([run.code, run.stderr()]).toEqual([2, expect.stringMatching(words)])
      expect(run.stderr()).toMatch(/SECRET_INVALID/)
      expect(run.stderr()).not.toContain('ss@localhost')
    }
  })
})

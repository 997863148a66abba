import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAsServant, servantsFolder } from './servant.ts'

/** A CA of the test's own, and certificates that it has signed. */
export class Certificates {
  /** Readable for whoever runs the servers, too. */
  readonly folder = servantsFolder()

  constructor() {
    chmodSync(this.folder, 0o755)
    this.#openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=CA of the test',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
    )
  }

  get ca(): string {
    return join(this.folder, 'ca.pem')
  }

  /** Settings of a server that shows a certificate for this name. */
  settingsFor(name: string): readonly string[] {
    writeFileSync(join(this.folder, `${name}.ext`), `subjectAltName=DNS:${name}`)
    this.#openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const signing = ['-req', '-days', '2', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`]
    this.#openssl('x509', ...signing, '-in', `${name}.csr`, '-out', `${name}.pem`)
    const [certificate, key, own] = ['pem', 'key', 'own.key'].map((end) => join(this.folder, `${name}.${end}`))
    chmodSync(key ?? '', 0o644)
    // A key that is not its own alone PostgreSQL does not take.
    runAsServant('install', ['-m', '600', key ?? '', own ?? ''])
    return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${own}`]
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}

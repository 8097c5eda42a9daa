import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `test.skipIf(cannotMakeCertificates)` */
export const cannotMakeCertificates = !Bun.which('openssl')

export interface Certified extends Disposable {
  /** For `Bun.serve`. */
  readonly tls: { readonly key: Buffer; readonly cert: Buffer }
  /** Runs a script in a process that trusts the authority; returns what it printed. */
  run(script: string, environment?: Readonly<Record<string, string>>): Promise<string>
}

/** Returns a certificate for host names, signed by an authority that is not known outside. */
export function aCertificateFor(...names: readonly string[]): Certified {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
  const openssl = (...words: string[]) => Bun.spawnSync(['openssl', ...words], { cwd: folder })
  const request = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(...request, '-x509', '-subj', '/CN=authority', '-keyout', 'authority.key', '-out', 'authority.pem')
  openssl(...request, '-subj', `/CN=${names[0]}`, '-keyout', 'host.key', '-out', 'host.csr')
  writeFileSync(join(folder, 'names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`)
  const signed = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'host.csr', ...signed, '-out', 'host.pem')
  return {
    tls: { key: readFileSync(join(folder, 'host.key')), cert: readFileSync(join(folder, 'host.pem')) },
    run(script, environment) {
      const path = join(folder, 'script.ts')
      writeFileSync(path, script)
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'), ...environment }
      return new Response(Bun.spawn([process.execPath, path], { env, stdout: 'pipe', stderr: 'inherit' }).stdout).text()
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

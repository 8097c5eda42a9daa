import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const source = (path: string) => JSON.stringify(join(import.meta.dir, '../../gateway/src', path))

test.skipIf(process.platform === 'win32')(
  'a connection that fails as this process can open no more files is not the fault of the upstream',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'))
    const script = join(folder, 'full.ts')
    writeFileSync(
      script,
      `import { openSync, writeSync } from 'node:fs'
      import { isOutOfFiles } from ${source('../../http-client/src/out-of-files.ts')}
      import { toUpstreamError } from ${source('channels/calls/upstream-call.ts')}
      const said = []
      const connect = () => Bun.connect({ hostname: '127.0.0.1', port: 9, socket: { data() {}, connectError() {} } }).then(() => null, (error) => error)
      const judge = async () => {
        const { fault, code } = toUpstreamError({ reason: null }, await connect())
        said.push([isOutOfFiles(), fault ?? code])
      }
      await judge()
      try { for (;;) openSync('/dev/null', 'r') } catch {}
      await judge()
      writeSync(1, JSON.stringify(said))
      process.exit()`,
    )
    const { stdout } = Bun.spawnSync(['sh', '-c', 'ulimit -n 100 && exec "$0" "$1"', process.execPath, script])
    expect(JSON.parse(stdout.toString())).toEqual([
      [false, 'unreachable'],
      [true, 'gateway.files'],
    ])
    rmSync(folder, { recursive: true })
  },
)

import { parseArgs } from 'node:util'

import { isObject, type JsonObject } from '../dialects/src/index'
import { providers } from '../providers/src/index'
import { capture, withCaptured } from './record/capture'
import { accountOf } from './vendor-calls/account'

const help = `Records real responses of a vendor into its fixture, without keys and ids.

  DEEPSEEK_API_KEY=… bun run record deepseek

Makes six small calls at most. Variables begin with the vendor's id: …_API_KEY; where needed …_BASE_URL, …_OTHER (the field of the
channel), …_MODEL and …_EMBEDDING_MODEL. Read the fixture before you commit it: a response may hold more than is known here. Then write
docs/recordings.md by \`bun scripts/recordings.ts\`.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h', default: false } },
})
const provider = providers.find(({ id }) => id === positionals[0])
if (values.help || !provider) {
  console.log(help)
  process.exit(values.help ? 0 : 1)
}
const account = accountOf(provider, process.env)
if ('missing' in account) {
  console.error(account.missing)
  process.exit(1)
}

const path = `${import.meta.dir}/../providers/src/vendors/fixtures/${provider.id}.json`
const fixture = withCaptured(provider, account, await readFixture(path), await capture(provider, account, new Date()))
await Bun.write(path, `${JSON.stringify(fixture, null, 2)}\n`)
console.log(`Wrote ${provider.id}.json. Read it before you commit it.`)

async function readFixture(file: string): Promise<JsonObject> {
  const value: unknown = (await Bun.file(file).exists()) ? await Bun.file(file).json() : {}
  return isObject(value) ? value : {}
}

import { parseArgs } from 'node:util'

import { providers } from '../providers/src/index'
import { capture } from './record/capture'

const help = `Captures real responses of a vendor into its fixture, without keys and ids.

  VENDOR_KEY=… bun scripts/record.ts <vendor> --model <name> [--base-url <url>] [--other <value>]

Makes four small calls. Read the fixture before you commit it: a response may hold more than is known here.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    'base-url': { type: 'string' },
    other: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const provider = providers.find(({ id }) => id === positionals[0])
const baseUrl = values['base-url'] ?? provider?.baseUrl
const key = process.env['VENDOR_KEY']
if (values.help || !provider || !baseUrl || !key || !values.model) {
  console.log(help)
  process.exit(values.help ? 0 : 1)
}

const captured = await capture(provider, {
  baseUrl,
  key,
  model: values.model,
  now: new Date(),
  ...(values.other !== undefined && { other: values.other }),
})
const path = `${import.meta.dir}/../providers/src/vendors/fixtures/${provider.id}.json`
const known: unknown = (await Bun.file(path).exists()) ? await Bun.file(path).json() : {}
await Bun.write(path, `${JSON.stringify({ ...Object(known), ...captured }, null, 2)}\n`)
console.log(`Wrote ${provider.id}.json. Read it before you commit it.`)

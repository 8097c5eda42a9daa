import { parseArgs } from 'node:util'

import { dialectFaults, faults } from './faults'
import { startSimulator } from './simulator'

const usage = `A stand-in AI upstream.

  bun simulator/src/main.ts [--port 4010] [--host 127.0.0.1] [--key sk-one --key sk-two] [--model name …]
                            [--tokens 8] [--ttft 0] [--gap 0] [--quiet]

Ask for behaviour with the model name or the API key:
  sim:tokens=200;ttft=20;gap=5;usage=none       a longer, slower answer that reports no usage
  sim:think=4;tools=2;end=refusal               thoughts, tool calls, another ending
  sim:fault=status-500;every=3                  each third call fails
  sim-fault-<name>                              one of:
${wrapNames(Object.keys({ ...faults, ...dialectFaults }))}`

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '4010' },
    key: { type: 'string', multiple: true },
    model: { type: 'string', multiple: true },
    tokens: { type: 'string', default: '8' },
    ttft: { type: 'string', default: '0' },
    gap: { type: 'string', default: '0' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const simulator = await startSimulator({
    hostname: values.host,
    port: Number(values.port),
    keys: values.key,
    models: values.model,
    keepRequests: false,
    defaults: { tokens: Number(values.tokens), ttftMs: Number(values.ttft), gapMs: Number(values.gap) },
  })
  console.log(`Simulator on ${simulator.url}`)
  if (!values.quiet) console.log(usage)
  const stop = async () => {
    const { total } = simulator.served
    await simulator.stop()
    console.log(
      `Served ${total.completed} of ${total.requests} requests, ${total.promptTokens} + ${total.completionTokens} tokens`,
    )
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
}

function wrapNames(names: readonly string[]): string {
  const lines: string[] = []
  for (let at = 0; at < names.length; at += 5) lines.push(`      ${names.slice(at, at + 5).join(' ')}`)
  return lines.join('\n')
}

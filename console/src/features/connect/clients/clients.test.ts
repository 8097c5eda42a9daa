import { expect, test } from 'bun:test'

import type { ClientPlace, ClientStep } from './client'
import { clientOf, clients } from './clients'
import { shells, terminalText } from './terminal-text'

const place = { address: 'https://gate.example.com', apiKey: 'sk-Ab12', model: 'big-1' } satisfies ClientPlace

/** Everything a step says. */
const wordsOf = (step: ClientStep): string =>
  step.kind === 'terminal'
    ? terminalText(step, 'bash')
    : step.kind === 'fields'
      ? step.fields.map(({ name, value }) => `${name}: ${value}`).join('\n')
      : step.text

const linesOf = (id: (typeof clients)[number]['id'], at = place) => clientOf(id).steps(at).map(wordsOf)

test('every client gets address and key, and a model where it does not list them itself', () => {
  for (const client of clients) {
    const words = client.steps(place).map(wordsOf).join('\n')
    expect([client.id, words.includes(place.address)]).toEqual([client.id, true])
    expect([client.id, words.includes(place.apiKey)]).toEqual([client.id, true])
    expect([client.id, words.includes(place.model)]).toEqual([client.id, client.id !== 'open-webui'])
  }
})

test('ids are used once, and groups stand together', () => {
  expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length)
  const groups = clients.map(({ group }) => group)
  expect(groups.filter((group, index) => group !== groups[index - 1])).toEqual([...new Set(groups)])
})

test('Claude Code is led to Messages, in the foreground and in the background', () => {
  expect(linesOf('claude-code')).toEqual([
    `export ANTHROPIC_BASE_URL=https://gate.example.com
export ANTHROPIC_AUTH_TOKEN=sk-Ab12
export ANTHROPIC_MODEL=big-1
export ANTHROPIC_DEFAULT_HAIKU_MODEL=big-1
claude`,
  ])
})

test('Codex is led to Responses and keeps the key out of its file', () => {
  const [file = '', terminal] = linesOf('codex')
  expect(Bun.TOML.parse(file)).toEqual({
    model: 'big-1',
    model_provider: 'gateway',
    model_providers: {
      gateway: {
        name: 'gateway',
        base_url: 'https://gate.example.com/v1',
        env_key: 'GATEWAY_KEY',
        wire_api: 'responses',
      },
    },
  })
  expect(terminal).toBe('export GATEWAY_KEY=sk-Ab12\ncodex')
})

test('agents that speak another dialect get the address that their library expects', () => {
  expect(linesOf('gemini-cli')[1]).toContain('GOOGLE_GEMINI_BASE_URL=https://gate.example.com\n')
  expect(linesOf('qwen-code')[1]).toContain('OPENAI_BASE_URL=https://gate.example.com/v1\n')
  expect(linesOf('aider')[0]).toEndWith('\naider --model openai/big-1')
})

/** A name in which each format has something to quote. */
const odd = { ...place, model: `qwen/"q3": {max} 'fast' #1 \\x` } satisfies ClientPlace

test('names with special characters arrive whole in every file', () => {
  const [codex = ''] = linesOf('codex', odd)
  expect(Bun.TOML.parse(codex)).toMatchObject({ model: odd.model })
  const [opencode = ''] = linesOf('opencode', odd)
  expect(Object.keys(JSON.parse(opencode).provider.gateway.models)).toEqual([odd.model])
  const [continued = ''] = linesOf('continue', odd)
  expect(Bun.YAML.parse(continued)).toMatchObject({
    models: [{ name: odd.model, model: odd.model, provider: 'openai', apiBase: 'https://gate.example.com/v1/' }],
  })
  const [, librechat = ''] = linesOf('librechat', odd)
  expect(Bun.YAML.parse(librechat)).toMatchObject({
    endpoints: { custom: [{ apiKey: '${GATEWAY_KEY}', models: { default: [odd.model] } }] },
  })
})

test('a terminal receives values as they are, in each shell', async () => {
  const step = { variables: { MODEL: `it's $HOME` }, command: ['printf', '%s', odd.model] }
  expect(terminalText(step, 'powershell')).toStartWith(`$env:MODEL = 'it''s $HOME'\nprintf %s '`)
  const run = Bun.spawn(['bash', '-c', `${terminalText(step, 'bash')}; printf '|%s' "$MODEL"`])
  expect(await new Response(run.stdout).text()).toBe(`${odd.model}|it's $HOME`)
})

test('plain values are not quoted where the shell needs no quotes', () => {
  const step = { variables: { URL: 'https://a.example/v1' }, command: ['codex'] }
  expect(shells.map((shell) => terminalText(step, shell))).toEqual([
    'export URL=https://a.example/v1\ncodex',
    "$env:URL = 'https://a.example/v1'\ncodex",
  ])
})

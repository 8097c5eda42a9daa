import { expect, test } from 'bun:test'

import texts from '../../../locales/en/connect.json'
import { clientGroups, endpoints, type Client, type ClientStep } from './client'
import { clients, type ClientId } from './clients'
import { terminalText } from './terminal-text'

const place = { address: 'https://gateway.example.com', apiKey: 'sk-…', model: 'MODEL' } as const
const file = `${import.meta.dir}/../../../../../docs/clients.md`

const intro = `# Connecting clients

The page **Connect** of the console has these lines with your address, a key and a model filled in, for macOS, Linux and Windows, and makes a
call with the key. It is in the menu under **Console**, and behind **Connect clients** of the list of tokens. Whatever API a client speaks, it
reaches every model of its key: [which dialect reaches which](compatibility.md). Addresses that other clients expect are in
[calling.md](calling.md#clients-and-addresses).

Claude Code, Codex, Gemini CLI, Qwen Code, opencode, Continue and aider are installed and driven with these lines by \`bun run test:agents\`;
[the table](compatibility.md#agents) says with what result. The programs for LangChain, the AI SDK and curl are run as they stand here. This page is made of the same lines: run the tests of \`console/src/features/connect\` with \`UPDATE_DOCS=1\`.`

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

function stepText(step: ClientStep): string {
  if (step.kind === 'code') return fence(step.language, step.text)
  if (step.kind === 'terminal') return `${texts.step.terminal}:\n\n${fence('sh', terminalText(step, 'bash'))}`
  if (step.kind === 'file')
    return `${texts.step.file.replace('{{path}}', `\`${step.path}\``)}:\n\n${fence(step.language, step.text)}`
  const rows = step.fields.map(({ name, value }) => `| ${name} | \`${value}\` |`)
  const head = step.where ? `${texts.step.fields.replace('{{where}}', `**${step.where}**`)}:\n\n` : ''
  return `${head}| Field | Value |\n| --- | --- |\n${rows.join('\n')}`
}

function clientText(client: Client<ClientId>): string {
  const name = client.id === 'other' ? texts.other : client.name
  const about = `${texts.hint[client.id]} ${texts.endpoint.replace('{{endpoint}}', `\`${endpoints[client.dialect]}\``)}`
  return [`### ${name}`, about, ...client.steps(place).map(stepText)].join('\n\n')
}

test('the documentation has the lines of the page', async () => {
  const parts = clientGroups.flatMap((group) => [
    `## ${texts.group[group]}`,
    ...clients.filter((client) => client.group === group).map(clientText),
  ])
  const page = `${[intro, ...parts].join('\n\n')}\n`
  if (Bun.env['UPDATE_DOCS']) await Bun.write(file, page)
  expect(await Bun.file(file).text()).toBe(page)
})

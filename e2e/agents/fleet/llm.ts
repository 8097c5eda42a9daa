import type { Agent } from '../agent'

const functions = `
import subprocess

def lookup_ticket(id: str) -> str:
    "Look up a ticket"
    return f"Ticket {id} is amber"

def run(command: str) -> str:
    "Run a command"
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout
`

export const llm: Agent = {
  name: 'llm',
  package: { from: 'pypi', name: 'llm', program: 'llm' },
  files: ({ url, model }) => ({
    'functions.py': functions,
    // YAML reads JSON.
    'llm/extra-openai-models.yaml': JSON.stringify([
      { model_id: 'gateway', model_name: model, api_base: `${url}/v1`, supports_tools: true, reasoning: true },
    ]),
  }),
  env: ({ home, key }) => ({ LLM_USER_PATH: `${home}/llm`, OPENAI_API_KEY: key }),
  args: (prompt, isNext, { home, key }) => [
    ...['prompt', '--model', 'gateway', '--key', key, '--functions', `${home}/functions.py`],
    ...(isNext ? ['--continue'] : []),
    prompt,
  ],
  shell: { tool: /^run$/, arguments: (command) => ({ command }) },
}

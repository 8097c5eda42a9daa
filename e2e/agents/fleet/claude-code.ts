import { mcpServers, type Agent } from '../agent'
import { connectLines } from '../connect-lines'

export const claudeCode: Agent = {
  name: 'Claude Code',
  package: { from: 'npm', name: '@anthropic-ai/claude-code', program: 'claude' },
  files: (place) => ({ 'mcp.json': JSON.stringify({ mcpServers: mcpServers(place) }) }),
  env: (place) => ({
    ...connectLines('claude-code', place).env,
    MAX_THINKING_TOKENS: '4000',
    // Otherwise the first request goes out before the MCP server is ready.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '60000',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  args: (prompt, isNext, { home }) => [
    ...(isNext ? ['--continue'] : []),
    '--print',
    prompt,
    '--mcp-config',
    `${home}/mcp.json`,
    '--strict-mcp-config',
    '--allowedTools',
    'mcp__tickets__lookup_ticket,Bash',
  ],
  shell: { tool: /^Bash$/, arguments: (command) => ({ command, description: 'Write the note' }) },
}

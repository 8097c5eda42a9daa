const each = (ratio: number, ...names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, ratio]))

/** The price of a completion token relative to a prompt token, for models that the catalog no longer lists. */
export const keptCompletionRatios: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...each(2, 'gpt-4-gizmo-*', 'gpt-4-all'),
    ...each(3, 'gpt-4o-gizmo-*', 'chatgpt-4o-latest', 'gpt-4-vision-preview', 'gpt-4-1106-vision-preview'),
    ...each(3, 'claude-2', 'claude-2.0', 'claude-2.1', 'claude-instant-1.2', 'command-r'),
    ...each(4, 'gemini-1.5-pro', 'gemini-1.5-pro-latest', 'gemini-1.5-pro-002'),
    ...each(4, 'gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-1.5-flash-002'),
    ...each(4, 'command', 'command-light', 'command-light-nightly', 'gpt-4o-audio-preview', 'gpt-4o-realtime-preview'),
    ...each(4, 'gpt-4o-mini-audio-preview', 'gpt-4o-mini-realtime-preview'),
    ...each(5, 'grok-3-fast', 'grok-3-fast-beta'),
    ...each(20 / 3, 'grok-3-mini-fast', 'grok-3-mini-fast-beta'),
    ...each(2, 'ERNIE-Speed-8K', 'ERNIE-Speed-128K', 'ERNIE-Lite-8K-0922', 'ERNIE-Lite-8K-0308'),
  }),
)

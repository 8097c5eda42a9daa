export const protocolsOf = (headers: Headers): string[] =>
  (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())

/** Returns whether a client speaks the protocol of the beta. Browsers cannot set the header that says so. */
export const requestsBeta = (headers: Headers): boolean =>
  headers.get('openai-beta')?.includes('realtime=v1') === true ||
  protocolsOf(headers).includes('openai-beta.realtime-v1')

/** Calls that name the model, and whether the answer is streamed, in their path. */
const named: readonly RegExp[] = [
  /\/models\/([^/]+):\w+$/,
  /\/model\/([^/]+)\/(?:invoke(?:-with-response-stream)?|converse(?:-stream)?)$/,
  /\/model-api\/([^/]+)\/(?:sse-)?invoke$/,
  /\/wenxinworkshop\/\w+\/([^/]+)$/,
]
const deployment = /\/deployments\/([^/]+)\//
const streamed = /:stream(?:GenerateContent|RawPredict)$|\/(?:invoke-with-response|converse)-stream$|\/sse-invoke$/

/** The model a path names, or the one of the body. A deployment is a model only if the body names none. */
export function modelOf(path: string, inBody: string): string {
  for (const pattern of named) {
    const model = pattern.exec(path)?.[1]
    if (model !== undefined) return tryDecode(model)
  }
  return inBody || tryDecode(deployment.exec(path)?.[1] ?? '')
}

export const isStreamPath = (path: string): boolean => streamed.test(path)

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

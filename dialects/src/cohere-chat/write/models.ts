/** Models from before the vendor's models could think; newer ones are taken to. https://docs.cohere.com/docs/models */
const old = /^(?:c4ai-)?(?:aya|command-r|command-a-(?:03|vision|translate)|command(?:-(?:light|nightly))*$)/

/** It takes `thinking`, and its own thoughts back; others refuse such requests. */
export const takesThinking = (model: string): boolean => !old.test(model)

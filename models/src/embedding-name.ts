const families = /embed|(?:^|\/)(?:m3e|bge|gte|e5|multilingual-e5|all-minilm)(?:-|$)/i

/** Returns whether a model embeds texts, by its name: lists and vendors take many of these for models that chat. */
export const isEmbeddingName = (name: string): boolean => families.test(name) && !/rerank/i.test(name)

/** GLM since 5.3, which thinks at every host. https://openrouter.ai/z-ai/glm-5.3/api */
export const alwaysThinkingGlm = /(?:^|\/)glm-(?:5[.-][3-9](?!\d)|[6-9])/i

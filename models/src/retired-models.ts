/**
 * Models whose vendors end them and whose end the public lists do not know, as lines of `writeDateLine`. Where other vendors go on serving
 * a model, the id of the one that ends it stands before the name. https://platform.claude.com/docs/en/about-claude/model-deprecations
 */
export const retiredText = `abab5.5-chat - x
abab5.5s-chat - x
abab6-chat - x
abab6.5-chat - x
abab6.5s-chat - x
anthropic/claude-3-5-haiku - 260219
anthropic/claude-opus-4 - 260615
anthropic/claude-opus-4-0 - 260615
anthropic/claude-opus-4-1 - 260805
anthropic/claude-sonnet-4 - 260615
anthropic/claude-sonnet-4-0 - 260615
ernie-3.5-8k - 260630
ernie-4.0-8k - 260630
ernie-4.0-8k-latest - 260630
ernie-4.0-turbo-128k - 260630
ernie-4.0-turbo-8k - 260630
ernie-4.5-8k-preview - 260630
ernie-lite-8k - 260609
ernie-lite-pro-128k - 260630
ernie-speed-128k - 260609
ernie-speed-8k - 260609
ernie-speed-pro-128k - 260630
ernie-tiny-8k - 260609
ernie-x1-turbo-32k - 260630
gemini-1.5-flash - x
gemini-1.5-flash-8b - x
gemini-1.5-pro - x
glm-4.5-flash 250728 260130
hunyuan-lite - 260622
hunyuan-pro - 260622
hunyuan-standard - 260622
hunyuan-standard-256k - 260622
imagen-4.0-fast-generate-001 - 260817
imagen-4.0-generate-001 - 260817
imagen-4.0-ultra-generate-001 - 260817
kling-v1-6 - 260915
kling-v2-1 - 260915
kling-v2-1-master - 260915
sparkdesk-v3.5-32k - 260310`

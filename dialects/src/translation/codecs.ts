import { aiProxyLibraryCodec } from '../aiproxy-library/codec'
import { baiduChatCodec } from '../baidu-chat/codec'
import { bedrockConverseCodec } from '../bedrock-converse/codec'
import { anthropicMessagesCodec } from '../anthropic-messages/codec'
import { cohereChatV1Codec } from '../cohere-chat-v1/codec'
import { cohereChatCodec } from '../cohere-chat/codec'
import { dashScopeEmbeddingsCodec } from '../dashscope-embeddings/codec'
import { vertexEmbeddingsCodec } from '../vertex-embeddings/codec'
import { volcEngineEmbeddingsCodec } from '../volcengine-embeddings/codec'
import { voyageEmbeddingsCodec } from '../voyage-embeddings/codec'
import { cozeChatCodec } from '../coze-chat/codec'
import { cohereEmbeddingsCodec, cohereEmbeddingsV1Codec } from '../cohere-embeddings/codec'
import { difyChatCodec } from '../dify-chat/codec'
import { geminiEmbeddingsCodec } from '../gemini-embeddings/codec'
import { geminiCodec } from '../gemini/codec'
import { hunyuanChatCodec } from '../hunyuan-chat/codec'
import { hunyuanEmbeddingsCodec } from '../hunyuan-embeddings/codec'
import { openAiChatCodec } from '../openai-chat/codec'
import { openAiResponsesCodec } from '../openai-responses/codec'
import { ollamaChatCodec } from '../ollama-chat/codec'
import { ollamaEmbeddingCodec, ollamaEmbeddingsCodec } from '../ollama-embeddings/codec'
import { ollamaGenerateCodec } from '../ollama-generate/codec'
import { openAiEmbeddingsCodec } from '../openai-embeddings/codec'
import { palmChatCodec } from '../palm-chat/codec'
import { sparkChatCodec } from '../spark-chat/codec'
import { zhipuChatCodec } from '../zhipu-chat/codec'
import { cloudflareImagesCodec } from '../cloudflare-images/codec'
import { dashScopeImagesCodec } from '../dashscope-images/codec'
import { geminiImagesCodec } from '../gemini-images/codec'
import { imagenCodec } from '../imagen/codec'
import { miniMaxImagesCodec } from '../minimax-images/codec'
import { openRouterImagesCodec } from '../openrouter-images/codec'
import { openAiImageEditsCodec } from '../openai-image-edits/codec'
import { openAiImagesCodec } from '../openai-images/codec'
import { seedreamImagesCodec } from '../seedream-images/codec'
import { siliconFlowImagesCodec } from '../siliconflow-images/codec'
import { stabilityImagesCodec } from '../stability-images/codec'
import { titanImagesCodec } from '../titan-images/codec'
import { xAiImagesCodec } from '../xai-images/codec'
import { dashScopeSpeechCodec } from '../dashscope-speech/codec'
import { dashScopeTranscriptionsCodec } from '../dashscope-transcriptions/codec'
import { geminiSpeechCodec } from '../gemini-speech/codec'
import { miniMaxSpeechCodec } from '../minimax-speech/codec'
import { volcEngineSpeechCodec } from '../volcengine-speech/codec'
import { volcEngineTranscriptionsCodec } from '../volcengine-transcriptions/codec'
import { geminiTranscriptionsCodec, geminiTranslationsCodec } from '../gemini-transcriptions/codec'
import { openRouterTranscriptionsCodec } from '../openrouter-transcriptions/codec'
import { plainTranscriptionsCodec } from '../plain-transcriptions/codec'
import { cloudflareTranscriptionsCodec, cloudflareTranslationsCodec } from '../cloudflare-transcriptions/codec'
import { cloudflareSpeechCodec } from '../cloudflare-speech/codec'
import { plainSpeechCodec } from '../plain-speech/codec'
import { mistralSpeechCodec } from '../mistral-speech/codec'
import { xAiSpeechCodec } from '../xai-speech/codec'
import type { UpstreamSpeechCodec } from '../neutral/speech'
import type { UpstreamTranscriptionCodec } from '../neutral/transcription'
import type { DialectId } from '../mode'
import type { ChatCodec, ClientCodec, UpstreamCodec } from '../neutral/codec'
import type { ImageCodec, UpstreamImageCodec } from '../neutral/image'
import type { ClientEmbeddingCodec, EmbeddingCodec, UpstreamEmbeddingCodec } from '../neutral/embedding'

/** The dialects that clients and upstreams chat in. */
export const chatCodecs: Partial<Record<DialectId, ChatCodec>> = {
  'anthropic-messages': anthropicMessagesCodec,
  'cohere-chat': cohereChatCodec,
  gemini: geminiCodec,
  'ollama-chat': ollamaChatCodec,
  'openai-chat': openAiChatCodec,
  'openai-responses': openAiResponsesCodec,
}

/** The dialects that only clients chat in. */
export const clientCodecs: Partial<Record<DialectId, ClientCodec>> = {
  'cohere-chat-v1': cohereChatV1Codec,
  'ollama-generate': ollamaGenerateCodec,
}

/** The dialects that only upstreams chat in. */
export const upstreamCodecs: Partial<Record<DialectId, UpstreamCodec>> = {
  'aiproxy-library': aiProxyLibraryCodec,
  'baidu-chat': baiduChatCodec,
  'bedrock-converse': bedrockConverseCodec,
  'coze-chat': cozeChatCodec,
  'dify-chat': difyChatCodec,
  'hunyuan-chat': hunyuanChatCodec,
  'palm-chat': palmChatCodec,
  'spark-chat': sparkChatCodec,
  'zhipu-chat': zhipuChatCodec,
}

/** The dialects that clients and upstreams ask for vectors in. */
export const embeddingCodecs: Partial<Record<DialectId, EmbeddingCodec>> = {
  'cohere-embeddings': cohereEmbeddingsCodec,
  'gemini-embeddings': geminiEmbeddingsCodec,
  'ollama-embeddings': ollamaEmbeddingsCodec,
  'openai-embeddings': openAiEmbeddingsCodec,
}

/** The dialects that only clients ask for vectors in. */
export const clientEmbeddingCodecs: Partial<Record<DialectId, ClientEmbeddingCodec>> = {
  'cohere-embeddings-v1': cohereEmbeddingsV1Codec,
  'ollama-embedding': ollamaEmbeddingCodec,
}

/** The dialects that only upstreams are asked for vectors in. */
export const upstreamEmbeddingCodecs: Partial<Record<DialectId, UpstreamEmbeddingCodec>> = {
  'dashscope-embeddings': dashScopeEmbeddingsCodec,
  'vertex-embeddings': vertexEmbeddingsCodec,
  'volcengine-embeddings': volcEngineEmbeddingsCodec,
  'voyage-embeddings': voyageEmbeddingsCodec,
  'hunyuan-embeddings': hunyuanEmbeddingsCodec,
}

/** The dialects in which clients and upstreams are asked for images. */
export const imageCodecs: Partial<Record<DialectId, ImageCodec>> = {
  imagen: imagenCodec,
  'openai-image-edits': openAiImageEditsCodec,
  'openai-images': openAiImagesCodec,
}

/** The dialects in which only upstreams are asked for images. */
export const upstreamImageCodecs: Partial<Record<DialectId, UpstreamImageCodec>> = {
  'cloudflare-images': cloudflareImagesCodec,
  'dashscope-images': dashScopeImagesCodec,
  'gemini-images': geminiImagesCodec,
  'minimax-images': miniMaxImagesCodec,
  'openrouter-images': openRouterImagesCodec,
  'seedream-images': seedreamImagesCodec,
  'siliconflow-images': siliconFlowImagesCodec,
  'stability-images': stabilityImagesCodec,
  'titan-images': titanImagesCodec,
  'xai-images': xAiImagesCodec,
}

/** The dialects that only upstreams are asked for speech in. */
export const upstreamSpeechCodecs: Partial<Record<DialectId, UpstreamSpeechCodec>> = {
  'dashscope-speech': dashScopeSpeechCodec,
  'gemini-speech': geminiSpeechCodec,
  'minimax-speech': miniMaxSpeechCodec,
  'volcengine-speech': volcEngineSpeechCodec,
  'xai-speech': xAiSpeechCodec,
  'plain-speech': plainSpeechCodec,
  'cloudflare-speech': cloudflareSpeechCodec,
  'mistral-speech': mistralSpeechCodec,
}

/** The dialects that only upstreams are asked for transcripts in. */
export const upstreamTranscriptionCodecs: Partial<Record<DialectId, UpstreamTranscriptionCodec>> = {
  'dashscope-transcriptions': dashScopeTranscriptionsCodec,
  'volcengine-transcriptions': volcEngineTranscriptionsCodec,
  'gemini-transcriptions': geminiTranscriptionsCodec,
  'gemini-translations': geminiTranslationsCodec,
  'openrouter-transcriptions': openRouterTranscriptionsCodec,
  'plain-transcriptions': plainTranscriptionsCodec,
  'cloudflare-transcriptions': cloudflareTranscriptionsCodec,
  'cloudflare-translations': cloudflareTranslationsCodec,
}

import { aiProxyLibraryCodec } from '../chat/aiproxy-library/codec'
import { baiduChatCodec } from '../chat/baidu-chat/codec'
import { bedrockConverseCodec } from '../chat/bedrock-converse/codec'
import { anthropicMessagesCodec } from '../chat/anthropic-messages/codec'
import { cohereChatV1Codec } from '../chat/cohere-chat-v1/codec'
import { cohereChatCodec } from '../chat/cohere-chat/codec'
import { dashScopeEmbeddingsCodec } from '../vectors/dashscope-embeddings/codec'
import { vertexEmbeddingsCodec } from '../vectors/vertex-embeddings/codec'
import { volcEngineEmbeddingsCodec } from '../vectors/volcengine-embeddings/codec'
import { voyageEmbeddingsCodec } from '../vectors/voyage-embeddings/codec'
import { cozeChatCodec } from '../chat/coze-chat/codec'
import { cohereEmbeddingsCodec, cohereEmbeddingsV1Codec } from '../vectors/cohere-embeddings/codec'
import { difyChatCodec } from '../chat/dify-chat/codec'
import { geminiEmbeddingsCodec } from '../vectors/gemini-embeddings/codec'
import { geminiCodec } from '../chat/gemini/codec'
import { hunyuanChatCodec } from '../chat/hunyuan-chat/codec'
import { hunyuanEmbeddingsCodec } from '../vectors/hunyuan-embeddings/codec'
import { openAiChatCodec } from '../chat/openai-chat/codec'
import { openAiResponsesCodec } from '../chat/openai-responses/codec'
import { ollamaChatCodec } from '../chat/ollama-chat/codec'
import { ollamaEmbeddingCodec, ollamaEmbeddingsCodec } from '../vectors/ollama-embeddings/codec'
import { ollamaGenerateCodec } from '../chat/ollama-generate/codec'
import { openAiEmbeddingsCodec } from '../vectors/openai-embeddings/codec'
import { palmChatCodec } from '../chat/palm-chat/codec'
import { sparkChatCodec } from '../chat/spark-chat/codec'
import { zhipuChatCodec } from '../chat/zhipu-chat/codec'
import { cloudflareImagesCodec } from '../images/cloudflare-images/codec'
import { dashScopeImagesCodec } from '../images/dashscope-images/codec'
import { geminiImagesCodec } from '../images/gemini-images/codec'
import { imagenCodec } from '../images/imagen/codec'
import { miniMaxImagesCodec } from '../images/minimax-images/codec'
import { openRouterImagesCodec } from '../images/openrouter-images/codec'
import { openAiImageEditsCodec } from '../images/openai-image-edits/codec'
import { openAiImagesCodec } from '../images/openai-images/codec'
import { seedreamImagesCodec } from '../images/seedream-images/codec'
import { siliconFlowImagesCodec } from '../images/siliconflow-images/codec'
import { stabilityImagesCodec } from '../images/stability-images/codec'
import { titanImagesCodec } from '../images/titan-images/codec'
import { xAiImagesCodec } from '../images/xai-images/codec'
import { dashScopeSpeechCodec } from '../audio/dashscope-speech/codec'
import { dashScopeTranscriptionsCodec } from '../audio/dashscope-transcriptions/codec'
import { geminiSpeechCodec } from '../audio/gemini-speech/codec'
import { miniMaxSpeechCodec } from '../audio/minimax-speech/codec'
import { volcEngineSpeechCodec } from '../audio/volcengine-speech/codec'
import { volcEngineTranscriptionsCodec } from '../audio/volcengine-transcriptions/codec'
import { geminiTranscriptionsCodec, geminiTranslationsCodec } from '../audio/gemini-transcriptions/codec'
import { openRouterTranscriptionsCodec } from '../audio/openrouter-transcriptions/codec'
import { plainTranscriptionsCodec } from '../audio/plain-transcriptions/codec'
import { cloudflareTranscriptionsCodec, cloudflareTranslationsCodec } from '../audio/cloudflare-transcriptions/codec'
import { cloudflareSpeechCodec } from '../audio/cloudflare-speech/codec'
import { plainSpeechCodec } from '../audio/plain-speech/codec'
import { mistralSpeechCodec } from '../audio/mistral-speech/codec'
import { xAiSpeechCodec } from '../audio/xai-speech/codec'
import type { UpstreamSpeechCodec } from '../core/neutral/speech'
import type { UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import type { DialectId } from '../core/mode'
import type { ChatCodec, ClientCodec, UpstreamCodec } from '../core/neutral/codec'
import type { ImageCodec, UpstreamImageCodec } from '../core/neutral/image'
import type { ClientEmbeddingCodec, EmbeddingCodec, UpstreamEmbeddingCodec } from '../core/neutral/embedding'

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

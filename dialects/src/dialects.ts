import { aiProxyLibrary } from './chat/aiproxy-library'
import { anthropicMessages } from './chat/anthropic-messages/dialect'
import { baiduChat } from './chat/baidu-chat'
import { bedrockConverse } from './chat/bedrock-converse/dialect'
import { cloudflareImages } from './images/cloudflare-images'
import { cohereChatV1 } from './chat/cohere-chat-v1/dialect'
import { cohereChat } from './chat/cohere-chat/dialect'
import { dashScopeEmbeddings } from './vectors/dashscope-embeddings'
import { vertexEmbeddings } from './vectors/vertex-embeddings'
import { volcEngineEmbeddings } from './vectors/volcengine-embeddings'
import { voyageEmbeddings } from './vectors/voyage-embeddings'
import { cohereEmbeddings, cohereEmbeddingsV1 } from './vectors/cohere-embeddings'
import { dashScopeImages } from './images/dashscope-images'
import { dashScopeRealtime } from './realtime/dashscope-realtime'
import { dashScopeSpeech } from './audio/dashscope-speech'
import { dashScopeTranscriptions } from './audio/dashscope-transcriptions'
import type { Dialect } from './core/dialect'
import { geminiSpeech } from './audio/gemini-speech'
import { miniMaxSpeech } from './audio/minimax-speech'
import { geminiTranscriptions, geminiTranslations } from './audio/gemini-transcriptions'
import { openRouterTranscriptions } from './audio/openrouter-transcriptions'
import { plainTranscriptions } from './audio/plain-transcriptions'
import { cloudflareTranscriptions, cloudflareTranslations } from './audio/cloudflare-transcriptions'
import { cloudflareSpeech } from './audio/cloudflare-speech'
import { plainSpeech } from './audio/plain-speech'
import { mistralSpeech } from './audio/mistral-speech'
import { xAiSpeech } from './audio/xai-speech'
import { cozeChat } from './chat/coze-chat'
import { difyChat } from './chat/dify-chat'
import { geminiEmbeddings } from './vectors/gemini-embeddings'
import { geminiLive } from './realtime/gemini-live/dialect'
import { geminiImages } from './images/gemini-images'
import { gemini } from './chat/gemini/dialect'
import { imagen } from './images/imagen'
import { miniMaxImages } from './images/minimax-images'
import { mistralFim } from './chat/mistral-fim'
import { mistralOcr } from './chat/mistral-ocr'
import type { DialectId } from './core/mode'
import { hunyuanChat } from './chat/hunyuan-chat'
import { hunyuanEmbeddings } from './vectors/hunyuan-embeddings'
import { ollamaChat } from './chat/ollama-chat/dialect'
import { ollamaEmbeddings, ollamaEmbedding } from './vectors/ollama-embeddings'
import { ollamaGenerate } from './chat/ollama-generate'
import { openRouterImages } from './images/openrouter-images'
import { openAiChat } from './chat/openai-chat/dialect'
import { openAiCompletions } from './chat/openai-completions'
import { openAiEmbeddings } from './vectors/openai-embeddings'
import { openAiImageEdits } from './images/openai-image-edits'
import { openAiImages } from './images/openai-images/dialect'
import { openAiModerations } from './vectors/openai-moderations'
import { openAiRealtime } from './realtime/openai-realtime/dialect'
import { openAiResponses } from './chat/openai-responses/dialect'
import { openAiSpeech } from './audio/openai-speech'
import { openAiTranscriptions } from './audio/openai-transcriptions'
import { palmChat } from './chat/palm-chat'
import { rerank } from './vectors/rerank'
import { seedreamImages } from './images/seedream-images'
import { siliconFlowImages } from './images/siliconflow-images'
import { stabilityImages } from './images/stability-images'
import { titanImages } from './images/titan-images'
import { sparkChat } from './chat/spark-chat'
import { volcEngineSpeech } from './audio/volcengine-speech'
import { volcEngineTranscriptions } from './audio/volcengine-transcriptions'
import { xAiImages } from './images/xai-images'
import { zhipuChat } from './chat/zhipu-chat'

/** All wire formats. */
export const dialects: Readonly<Record<DialectId, Dialect>> = {
  'aiproxy-library': aiProxyLibrary,
  'anthropic-messages': anthropicMessages,
  'baidu-chat': baiduChat,
  'bedrock-converse': bedrockConverse,
  'cloudflare-images': cloudflareImages,
  'cohere-chat': cohereChat,
  'cohere-chat-v1': cohereChatV1,
  'cohere-embeddings': cohereEmbeddings,
  'dashscope-embeddings': dashScopeEmbeddings,
  'vertex-embeddings': vertexEmbeddings,
  'volcengine-embeddings': volcEngineEmbeddings,
  'voyage-embeddings': voyageEmbeddings,
  'cohere-embeddings-v1': cohereEmbeddingsV1,
  'dashscope-images': dashScopeImages,
  'dashscope-realtime': dashScopeRealtime,
  'dashscope-speech': dashScopeSpeech,
  'dashscope-transcriptions': dashScopeTranscriptions,
  'coze-chat': cozeChat,
  'dify-chat': difyChat,
  gemini,
  'gemini-embeddings': geminiEmbeddings,
  'gemini-live': geminiLive,
  'gemini-speech': geminiSpeech,
  'minimax-speech': miniMaxSpeech,
  'xai-speech': xAiSpeech,
  'gemini-transcriptions': geminiTranscriptions,
  'gemini-translations': geminiTranslations,
  'openrouter-transcriptions': openRouterTranscriptions,
  'plain-transcriptions': plainTranscriptions,
  'cloudflare-transcriptions': cloudflareTranscriptions,
  'cloudflare-translations': cloudflareTranslations,
  'plain-speech': plainSpeech,
  'cloudflare-speech': cloudflareSpeech,
  'mistral-speech': mistralSpeech,
  'gemini-images': geminiImages,
  imagen,
  'minimax-images': miniMaxImages,
  'mistral-fim': mistralFim,
  'mistral-ocr': mistralOcr,
  'hunyuan-chat': hunyuanChat,
  'hunyuan-embeddings': hunyuanEmbeddings,
  'ollama-chat': ollamaChat,
  'ollama-embedding': ollamaEmbedding,
  'ollama-embeddings': ollamaEmbeddings,
  'ollama-generate': ollamaGenerate,
  'openai-chat': openAiChat,
  'openrouter-images': openRouterImages,
  'openai-completions': openAiCompletions,
  'openai-embeddings': openAiEmbeddings,
  'openai-image-edits': openAiImageEdits,
  'openai-images': openAiImages,
  'openai-moderations': openAiModerations,
  'openai-realtime': openAiRealtime,
  'openai-responses': openAiResponses,
  'openai-speech': openAiSpeech,
  'openai-transcriptions': openAiTranscriptions,
  'palm-chat': palmChat,
  rerank,
  'seedream-images': seedreamImages,
  'siliconflow-images': siliconFlowImages,
  'stability-images': stabilityImages,
  'titan-images': titanImages,
  'spark-chat': sparkChat,
  'volcengine-speech': volcEngineSpeech,
  'volcengine-transcriptions': volcEngineTranscriptions,
  'xai-images': xAiImages,
  'zhipu-chat': zhipuChat,
}

export const isDialectId = (id: string): id is DialectId => Object.hasOwn(dialects, id)

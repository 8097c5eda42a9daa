import { aiProxyLibrary } from './aiproxy-library/dialect'
import { anthropicMessages } from './anthropic-messages/dialect'
import { baiduChat } from './baidu-chat/dialect'
import { bedrockConverse } from './bedrock-converse/dialect'
import { cloudflareImages } from './cloudflare-images/dialect'
import { cohereChatV1 } from './cohere-chat-v1/dialect'
import { cohereChat } from './cohere-chat/dialect'
import { dashScopeEmbeddings } from './dashscope-embeddings/dialect'
import { vertexEmbeddings } from './vertex-embeddings/dialect'
import { volcEngineEmbeddings } from './volcengine-embeddings/dialect'
import { voyageEmbeddings } from './voyage-embeddings/dialect'
import { cohereEmbeddings, cohereEmbeddingsV1 } from './cohere-embeddings/dialect'
import { dashScopeImages } from './dashscope-images/dialect'
import { dashScopeRealtime } from './dashscope-realtime/dialect'
import { dashScopeSpeech } from './dashscope-speech/dialect'
import { dashScopeTranscriptions } from './dashscope-transcriptions/dialect'
import type { Dialect } from './dialect'
import { geminiSpeech } from './gemini-speech/dialect'
import { miniMaxSpeech } from './minimax-speech/dialect'
import { geminiTranscriptions, geminiTranslations } from './gemini-transcriptions/dialect'
import { openRouterTranscriptions } from './openrouter-transcriptions/dialect'
import { plainTranscriptions } from './plain-transcriptions/dialect'
import { cloudflareTranscriptions, cloudflareTranslations } from './cloudflare-transcriptions/dialect'
import { cloudflareSpeech } from './cloudflare-speech/dialect'
import { plainSpeech } from './plain-speech/dialect'
import { mistralSpeech } from './mistral-speech/dialect'
import { xAiSpeech } from './xai-speech/dialect'
import { cozeChat } from './coze-chat/dialect'
import { difyChat } from './dify-chat/dialect'
import { geminiEmbeddings } from './gemini-embeddings/dialect'
import { geminiLive } from './gemini-live/dialect'
import { geminiImages } from './gemini-images/dialect'
import { gemini } from './gemini/dialect'
import { imagen } from './imagen/dialect'
import { miniMaxImages } from './minimax-images/dialect'
import { mistralFim } from './mistral-fim/dialect'
import { mistralOcr } from './mistral-ocr/dialect'
import type { DialectId } from './mode'
import { hunyuanChat } from './hunyuan-chat/dialect'
import { hunyuanEmbeddings } from './hunyuan-embeddings/dialect'
import { ollamaChat } from './ollama-chat/dialect'
import { ollamaEmbedding } from './ollama-embeddings/dialect-of-one'
import { ollamaEmbeddings } from './ollama-embeddings/dialect'
import { ollamaGenerate } from './ollama-generate/dialect'
import { openRouterImages } from './openrouter-images/dialect'
import { openAiChat } from './openai-chat/dialect'
import { openAiCompletions } from './openai-completions/dialect'
import { openAiEmbeddings } from './openai-embeddings/dialect'
import { openAiImageEdits } from './openai-image-edits/dialect'
import { openAiImages } from './openai-images/dialect'
import { openAiModerations } from './openai-moderations/dialect'
import { openAiRealtime } from './openai-realtime/dialect'
import { openAiResponses } from './openai-responses/dialect'
import { openAiSpeech } from './openai-speech/dialect'
import { openAiTranscriptions } from './openai-transcriptions/dialect'
import { palmChat } from './palm-chat/dialect'
import { rerank } from './rerank/dialect'
import { seedreamImages } from './seedream-images/dialect'
import { siliconFlowImages } from './siliconflow-images/dialect'
import { stabilityImages } from './stability-images/dialect'
import { titanImages } from './titan-images/dialect'
import { sparkChat } from './spark-chat/dialect'
import { volcEngineSpeech } from './volcengine-speech/dialect'
import { volcEngineTranscriptions } from './volcengine-transcriptions/dialect'
import { xAiImages } from './xai-images/dialect'
import { zhipuChat } from './zhipu-chat/dialect'

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

import { foreignLeaves, googleNames, leaves, type NameTree } from '../../core/shared/known-names'

const blob = leaves('mimeType', 'data', 'fileUri', 'displayName')

const plainPart: NameTree = {
  ...leaves('text', 'thought', 'thoughtSignature', 'toolCall', 'toolResponse', 'audioTranscription'),
  ...foreignLeaves('videoMetadata', 'mediaResolution', 'partMetadata', 'mediaProcessing', 'speechMetadata'),
  inlineData: blob,
  fileData: blob,
  functionCall: {
    ...leaves('id', 'name', 'args', 'willContinue'),
    partialArgs: leaves('jsonPath', 'stringValue', 'numberValue', 'boolValue', 'nullValue', 'willContinue'),
  },
  executableCode: leaves('id', 'language', 'code'),
  codeExecutionResult: leaves('id', 'outcome', 'output'),
  functionResponse: { ...leaves('id', 'name', 'response', 'parts'), ...foreignLeaves('willContinue', 'scheduling') },
}

const part: NameTree = {
  ...plainPart,
  functionResponse: {
    ...leaves('id', 'name', 'response'),
    ...foreignLeaves('willContinue', 'scheduling'),
    parts: plainPart,
  },
}

/** Parts stand in a list of contents, or alone. */
const content: NameTree = { ...part, ...leaves('role'), parts: part }

const described: NameTree = {
  ...leaves('name', 'description', 'parameters', 'parametersJsonSchema'),
  ...foreignLeaves('behavior', 'response', 'responseJsonSchema'),
}

const request: NameTree = {
  ...leaves('model', 'safetySettings', 'cachedContent', 'labels', 'serviceTier', 'store'),
  contents: content,
  systemInstruction: content,
  tools: {
    ...leaves('googleSearch', 'googleSearchRetrieval', 'codeExecution', 'urlContext', 'googleMaps', 'computerUse'),
    ...leaves('retrieval', 'enterpriseWebSearch', 'fileSearch', 'mcpServers'),
    functionDeclarations: described,
  },
  toolConfig: {
    functionCallingConfig: leaves('mode', 'allowedFunctionNames', 'streamFunctionCallArguments'),
    retrievalConfig: null,
    includeServerSideToolInvocations: null,
  },
  generationConfig: {
    ...leaves('candidateCount', 'maxOutputTokens', 'temperature', 'topP', 'topK', 'seed', 'stopSequences'),
    ...leaves('presencePenalty', 'frequencyPenalty', 'responseLogprobs', 'logprobs', 'responseMimeType'),
    ...leaves('responseSchema', 'responseJsonSchema', '_responseJsonSchema', 'responseModalities', 'mediaResolution'),
    ...leaves('speechConfig', 'imageConfig', 'routingConfig', 'audioTimestamp', 'enableEnhancedCivicAnswers'),
    thinkingConfig: leaves('includeThoughts', 'thinkingBudget', 'thinkingLevel'),
  },
}

export const generateNames = googleNames({ ...request, generateContentRequest: request })

/** Messages of clients in a session. https://ai.google.dev/api/live */
export const liveNames = googleNames({
  setup: {
    ...request,
    ...leaves('realtimeInputConfig', 'sessionResumption', 'contextWindowCompression', 'historyConfig', 'proactivity'),
    ...leaves('inputAudioTranscription', 'outputAudioTranscription', 'explicitVadSignal', 'avatarConfig'),
  },
  clientContent: { ...leaves('turnComplete'), turns: content },
  realtimeInput: {
    ...leaves('text', 'activityStart', 'activityEnd', 'audioStreamEnd'),
    audio: blob,
    video: blob,
    mediaChunks: blob,
  },
  toolResponse: { functionResponses: leaves('id', 'name', 'response', 'parts', 'willContinue', 'scheduling') },
})

const blobOfImage = leaves('bytesBase64Encoded', 'gcsUri', 'mimeType')

export const predictNames = googleNames({
  instances: { ...leaves('prompt', 'referenceImages'), image: blobOfImage, mask: { image: blobOfImage, mode: null } },
  parameters: {
    ...leaves(
      'sampleCount',
      'aspectRatio',
      'negativePrompt',
      'seed',
      'sampleImageSize',
      'personGeneration',
      'language',
    ),
    ...leaves('addWatermark', 'enhancePrompt', 'safetySetting', 'includeRaiReason', 'storageUri', 'guidanceScale'),
    outputOptions: leaves('mimeType', 'compressionQuality'),
  },
})

const embed: NameTree = {
  ...leaves('model', 'taskType', 'title', 'outputDimensionality', 'autoTruncate'),
  content,
  embedContentConfig: leaves('taskType', 'title', 'outputDimensionality', 'autoTruncate'),
}

export const embedNames = googleNames({ ...embed, requests: embed })

import type { Part, Tool } from '@google/genai'

/** A tool of each kind that the vendor publishes: a new kind does not compile until it stands here. */
export const geminiTools = {
  functionDeclarations: { functionDeclarations: [{ name: 'mark' }] },
  retrieval: { retrieval: {} },
  googleMaps: { googleMaps: {} },
  mcpServers: { mcpServers: [{ name: 'mark' }] },
  codeExecution: { codeExecution: {} },
  computerUse: { computerUse: {} },
  enterpriseWebSearch: { enterpriseWebSearch: {} },
  exaAiSearch: { exaAiSearch: {} },
  googleSearch: { googleSearch: {} },
  googleSearchRetrieval: { googleSearchRetrieval: {} },
  parallelAiSearch: { parallelAiSearch: {} },
  urlContext: { urlContext: {} },
  fileSearch: { fileSearch: {} },
} satisfies { [Kind in keyof Required<Tool>]: Tool & Pick<Tool, Kind> }

/** Members that say more of a part and make none by themselves. */
type AuxiliaryMember =
  | 'mediaResolution'
  | 'mediaProcessing'
  | 'partMetadata'
  | 'speechMetadata'
  | 'thought'
  | 'thoughtSignature'
  | 'videoMetadata'

/** A part of each kind that a content may hold. */
export const geminiParts = {
  text: { text: 'mark' },
  inlineData: { inlineData: { mimeType: 'image/png', data: 'mark' } },
  fileData: { fileData: { mimeType: 'application/pdf', fileUri: 'https://mark' } },
  functionCall: { functionCall: { name: 'mark', args: {} } },
  functionResponse: { functionResponse: { name: 'f', response: { output: 'mark' } } },
  executableCode: { executableCode: { code: 'mark' } },
  codeExecutionResult: { codeExecutionResult: { output: 'mark' } },
  toolCall: { toolCall: { id: 'mark' } },
  toolResponse: { toolResponse: { id: 'mark' } },
  audioTranscription: { audioTranscription: { text: 'mark' } },
} satisfies { [Kind in Exclude<keyof Required<Part>, AuxiliaryMember>]: Part & Pick<Part, Kind> }

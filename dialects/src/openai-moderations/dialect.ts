import { readTextlessAnswer } from '../shared/response'
import { inputPrompt } from '../shared/prompt'
import { textlessDialect } from '../shared/textless-dialect'
import { readModerationRequest } from './request'
import { moderationNames } from '../shared/names'

/** `POST /v1/moderations`. */
export const openAiModerations = textlessDialect({
  id: 'openai-moderations',
  names: moderationNames,
  readRequest: (body, place) => readModerationRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['results']),
})

import { readTextlessAnswer } from '../openai/answer'
import { inputPrompt } from '../openai/prompt'
import { textlessDialect } from '../openai/textless-dialect'
import { readModerationRequest } from './request'
import { moderationNames } from '../openai/names'

/** `POST /v1/moderations`. */
export const openAiModerations = textlessDialect({
  id: 'openai-moderations',
  names: moderationNames,
  readRequest: (body, place) => readModerationRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['results']),
})

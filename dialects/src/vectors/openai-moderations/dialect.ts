import { readTextlessAnswer } from '../../core/shared/response'
import { inputPrompt } from '../../core/shared/prompt'
import { textlessDialect } from '../../core/shared/textless-dialect'
import { readModerationRequest } from './request'
import { moderationNames } from '../../core/shared/names'

/** `POST /v1/moderations`. */
export const openAiModerations = textlessDialect({
  id: 'openai-moderations',
  names: moderationNames,
  readRequest: (body, place) => readModerationRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['results']),
})

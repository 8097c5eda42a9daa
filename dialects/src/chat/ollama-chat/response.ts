import { isObject, type JsonObject } from '../../core/json'

/** Whether a whole response holds a message, be it empty. */
export const isOllamaAnswer = ({ message }: JsonObject): boolean => isObject(message)

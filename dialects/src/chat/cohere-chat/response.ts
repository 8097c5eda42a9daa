import { isObject, type JsonObject } from '../../core/json'

/** Whether a whole response holds a message, be it empty. */
export const isCohereAnswer = ({ message }: JsonObject): boolean => isObject(message)

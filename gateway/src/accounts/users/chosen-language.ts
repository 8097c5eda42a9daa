import { z } from 'zod'

import { parsedJson } from '../../parsed-json'

const Setting = z.object({ language: z.enum(['zh', 'en']).optional() })

/** The language that a user chose for the account, of the stored settings; undefined where none was. */
export const chosenLanguage = (setting: string) => Setting.safeParse(parsedJson(setting)).data?.language

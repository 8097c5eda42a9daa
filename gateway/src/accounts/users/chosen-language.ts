import { readFields, UserSetting } from '@tollgate/contract'

const Language = UserSetting.pick({ language: true })

/** Returns the language that a user chose, from the stored setting; undefined for a user who chose none. */
export const chosenLanguage = (setting: string) => readFields(Language, setting).language

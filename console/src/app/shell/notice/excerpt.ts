import { plainText } from '../../../lib/plain-text'

/** As much as fits into a line. */
const longest = 300

/** The words of an operator's text; empty where it is one address, which is shown as a page. */
export const excerptOf = (text: string): string =>
  /^\s*https:\/\/\S+\s*$/.test(text) ? '' : plainText(text).slice(0, longest)

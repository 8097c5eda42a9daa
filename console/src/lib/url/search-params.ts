import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'

import { searchValue } from './search-value'

export const parseSearch = parseSearchWith(searchValue)
export const stringifySearch = stringifySearchWith(JSON.stringify, searchValue)

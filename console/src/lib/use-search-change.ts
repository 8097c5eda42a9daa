import { useCallback } from 'react'

/** Changes some members of the search in a page's address and keeps the others. Give it the page's own `useNavigate`. */
export const useSearchChange = <Search extends object>(
  navigate: (to: { readonly search: (current: Search) => Search }) => unknown,
) =>
  useCallback(
    (change: Partial<Search>) => void navigate({ search: (current) => ({ ...current, ...change }) }),
    [navigate],
  )

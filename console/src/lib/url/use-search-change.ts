import { useCallback } from 'react'

/** Returns a function that changes some search parameters of a page and keeps the others. Pass it the page's own `useNavigate`. */
export const useSearchChange = <Search extends object>(
  navigate: (to: { readonly search: (current: Search) => Search }) => unknown,
) =>
  useCallback(
    (change: Partial<Search>) => void navigate({ search: (current) => ({ ...current, ...change }) }),
    [navigate],
  )

import { Text } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'

import { ErrorText } from '../../lib/api/error-text'

/** Why a form was refused, where no single field is the cause. */
export function FormFailure({ error }: { readonly error: ApiError | undefined }) {
  return (
    <div role="alert">
      {error && (
        <Text c="var(--mantine-color-error)" component="div">
          <ErrorText error={error} />
        </Text>
      )}
    </div>
  )
}

import { Text, UnstyledButton } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { copyText } from '../browser/copy-text'
import { useTranslation } from '../text/i18n'

interface ErrorTextProps {
  readonly error: ApiError
  /** Shown before the message. */
  readonly prefix?: string
}

/** An error with the request id, which an administrator can search for. */
export function ErrorText({ error, prefix = '' }: ErrorTextProps) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {prefix}
        <span>{error.message}</span>
      </Text>
      {error.requestId && <RequestId id={error.requestId} />}
    </>
  )
}

function RequestId({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => setCopied(await copyText(id))
  return (
    // Aligned as the message above it.
    <div style={{ marginTop: 4 }}>
      <UnstyledButton onClick={() => void copy()} aria-label={t('error.copyRequestId')}>
        <Text size="xs" c="dimmed">
          {isCopied ? (
            t('copy.done')
          ) : (
            <>
              {`${t('error.requestId')} `}
              <Text span inherit ff="monospace">
                {id}
              </Text>
            </>
          )}
        </Text>
      </UnstyledButton>
    </div>
  )
}

import { Button, type ButtonProps } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { documentRoutes, readUserSetting, accountRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useRead, useWrite } from '../../../../lib/api/query'

const IssueDialog = lazy(async () => ({ default: (await import('./issue-dialog')).IssueDialog }))

interface IssueButtonProps extends ButtonProps {
  /** An order that was paid, or a month that is over. */
  readonly of: { readonly trade_no: string } | { readonly month: string }
}

/** Opens the document of an order or a month, which is issued when it is opened first. */
export function IssueButton({ of, ...button }: IssueButtonProps) {
  const navigate = useNavigate()
  const { data: account } = useRead(accountRoutes.getSelf, {})
  const [isAsking, setAsking] = useState(false)
  const open = (number: number | undefined) => {
    if (number !== undefined) void navigate({ to: '/app/wallet/document/$number', params: { number: String(number) } })
  }
  const changes = [documentRoutes.listOwnDocuments]
  const invoice = useWrite(documentRoutes.issueInvoice, { changes, onSuccess: ([first]) => open(first?.number) })
  const statement = useWrite(documentRoutes.issueStatement, { changes, onSuccess: ({ number }) => open(number) })
  const issue = () => {
    setAsking(false)
    if ('month' in of) statement.mutate({ body: of })
    else invoice.mutate({ body: of })
  }
  const isUnnamed = account !== undefined && readUserSetting(account).billing_name === ''
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileInvoice size={15} />}
        loading={invoice.isPending || statement.isPending}
        disabled={account === undefined}
        onClick={() => (isUnnamed ? setAsking(true) : issue())}
        {...button}
      />
      {isAsking && account && (
        <Suspense>
          <IssueDialog account={account} onIssue={issue} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

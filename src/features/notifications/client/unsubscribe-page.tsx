import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { preferenceEndpoints } from '../preferences-contract.ts'

/** Where the link in a summary leads: ends the summaries, without a log-in and only when its reader says so. */
export function UnsubscribePage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const online = useOnline()
  const stop = useMutation({
    mutationFn: () => call(preferenceEndpoints.unsubscribe, { params: { token } }),
    meta: { silent: true },
  })
  return (
    <Page title="Summary by email">
      <Card>
        <output>
          {stop.data ? (
            <p>
              <strong>{stop.data.email}</strong> gets no more summaries. Notifications about urgent things still come as
              you have chosen.
            </p>
          ) : (
            <p>Stop sending you summaries of unread notifications?</p>
          )}
        </output>
        {stop.error && (
          <p role="alert" className="field-error">
            {failureMessage(stop.error)}
          </p>
        )}
        {!stop.data && (
          <Button
            tone="primary"
            busy={stop.isPending}
            busyLabel="Stopping…"
            disabled={!online}
            onClick={() => stop.mutate()}
          >
            Stop these emails
          </Button>
        )}
        <p>
          <Link to="/settings">Change how you are notified</Link>
        </p>
      </Card>
    </Page>
  )
}

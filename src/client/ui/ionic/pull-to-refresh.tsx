import './start-ionic.ts'
import { IonRefresher, IonRefresherContent } from '@ionic/react'

/** Pulling the page down refreshes it; the same is always behind a button or the figures' own rule. */
export function PullToRefresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  return (
    <IonRefresher
      slot="fixed"
      onIonRefresh={event => {
        void onRefresh().finally(() => event.detail.complete())
      }}
    >
      <IonRefresherContent />
    </IonRefresher>
  )
}

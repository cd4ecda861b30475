interface ActionSheetOptions {
  title?: string
  actions: readonly { label: string; tone?: 'plain' | 'danger' }[]
}

/** Offers a few things to do, rising from the bottom. Answers the label of the chosen one, or undefined. */
export async function actionSheet({ title, actions }: ActionSheetOptions): Promise<string | undefined> {
  const { openActionSheet } = await import('./ionic-overlays.ts')
  let chosen: string | undefined
  await openActionSheet({
    ...(title && { header: title }),
    buttons: [
      ...actions.map(({ label, tone }) => ({
        text: label,
        ...(tone === 'danger' && { role: 'destructive' }),
        handler: () => {
          chosen = label
        },
      })),
      { text: 'Cancel', role: 'cancel' },
    ],
  })
  return chosen
}

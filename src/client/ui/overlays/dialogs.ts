interface ConfirmOptions {
  title: string
  message?: string
  confirmText: string
  cancelText?: string
  tone?: 'plain' | 'danger'
  /** The button must be held down for a second: for what nobody can undo. */
  isHeld?: boolean
}

/** Asks before something that matters. True only when the user chose to go on. */
export async function confirm(options: ConfirmOptions) {
  const { title, message, confirmText, cancelText = 'Cancel', tone, isHeld = false } = options
  const { openAlert, heldButton } = await import('./ionic-overlays.ts')
  const role = await openAlert({
    header: title,
    ...(message && { message }),
    buttons: [
      { text: cancelText, role: 'cancel' },
      {
        text: confirmText,
        role: tone === 'danger' ? 'destructive' : 'confirm',
        ...(isHeld && heldButton),
      },
    ],
  })
  return role === 'confirm' || role === 'destructive'
}

interface ActionSheetOptions {
  title: string
  message?: string | undefined
  actions: readonly { label: string; tone?: 'plain' | 'danger' }[]
}

/** Offers a few actions in a sheet at the bottom. Returns the label of the chosen one, or undefined. */
export async function actionSheet({ title, message, actions }: ActionSheetOptions): Promise<string | undefined> {
  const { openActionSheet } = await import('./ionic-overlays.ts')
  return openActionSheet<string>({
    header: title,
    ...(message && { subHeader: message }),
    buttons: [
      ...actions.map(({ label, tone }) => ({
        text: label,
        data: label,
        ...(tone === 'danger' && { role: 'destructive' }),
      })),
      { text: 'Cancel', role: 'cancel' },
    ],
  })
}

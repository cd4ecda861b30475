import type { Ctx } from '#server/context.ts'

/** The key that browsers subscribe with; null where no pushes are sent. */
export const getPublicKey = async ({ integrations }: Ctx): Promise<{ publicKey: string | null }> => ({
  publicKey: integrations.webPush.current?.publicKey ?? null,
})

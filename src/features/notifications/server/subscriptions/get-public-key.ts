import type { Ctx } from '#server/context.ts'

/** The key that browsers subscribe with; null where no pushes are sent. */
export async function getPublicKey({ integrations }: Ctx): Promise<{ publicKey: string | null }> {
  return {
    publicKey: integrations.webPush.current?.publicKey ?? null,
  }
}

/** `draft_basket` as one says it: `draft basket`. */
export const modeText = (mode: string | undefined): string => mode?.replaceAll('_', ' ') ?? 'unknown mode'

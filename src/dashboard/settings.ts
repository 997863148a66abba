/** Where the dashboard listens unless told otherwise. */
export const DEFAULT_PORT = 8788

/** The environment variable that holds a token of the owner's own. */
export const TOKEN_VARIABLE = 'CORNERMAN_DASHBOARD_TOKEN'

import { statusOf } from "../request-error.js";
import { tokenClient } from "../token-client.js";

/**
 * Exchanges the code that a manifest's way back brought for the App's keys, as GitHub says them: it does so once. Null
 * where GitHub does not take the code: it was used, or its hour is over. No answer throws an `OutsideFault`.
 */
export async function convertCode(apiUrl: string, code: string): Promise<object | null> {
  const client = await tokenClient({ apiUrl, token: null });
  try {
    return (await client.rest.apps.createFromManifest({ code })).data;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 422) return null;
    throw error;
  }
}

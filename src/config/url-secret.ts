/** What the last part of a URL at `clawai serve` may be: at least 128 bits where it is random; only letters that stay as they are in a URL. */
export const URL_SECRET = /^[A-Za-z0-9_-]{22,128}$/;

/** The same in words. */
export const URL_SECRET_WANTED = '22 to 128 letters, digits, "-" or "_"';

export { render } from 'preact';
export type { ComponentChildren } from 'preact';
export { useEffect, useMemo, useRef, useState } from 'preact/hooks';

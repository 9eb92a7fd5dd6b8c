/* Small parts of a page. Text that comes from a record becomes text nodes and attributes, never markup. */

/** An HTML element; false, null and undefined attributes and children are left out. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An SVG element. */
function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(made, attributes, children) {
  const isThere = (value) => value !== null && value !== undefined && value !== false;
  for (const [key, value] of Object.entries(attributes)) {
    if (isThere(value)) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter(isThere));
  return made;
}

/** A name of classes from words, some of which may be missing. */
function classes(...words) {
  return words.filter(Boolean).join(" ");
}

const ICONS = {
  sun:
    "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.200 2.800l2.800 2.800" +
    "-1.400 1.400-2.800-2.800zM17 18.400l1.400-1.400 2.800 2.800-1.400 1.400zM2.800 19.800l2.800-2.800 1.400 1.400-2.800 2.800z" +
    "M17 5.600l2.800-2.800 1.400 1.400-2.800 2.800z",
  moon: "M20.500 14.500A9 9 0 1 1 9.500 3.500a7.500 7.500 0 0 0 11 11z",
  star: "M12 1.500l3.200 6.900 7.500.9-5.500 5.200 1.400 7.500L12 18.400 5.400 22l1.400-7.500-5.500-5.200 7.500-.9z",
  people:
    "M8 4a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM1.500 20v-2.500C1.500 14.500 4 13 8 13s6.500 1.500 6.500 4.500V20z" +
    "M16.500 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM16 20v-2.500c0-1.600-.6-2.900-1.600-3.900.7-.1 1.400-.1 2.100-.1 3.500 0 6 1.400 6 4V20z",
  house: "M12 2.500l10.500 9.500H19.500v9.500h-5.500v-6.500h-4v6.500H4.500V12H1.500z",
  briefcase:
    "M8 3h8a1 1 0 0 1 1 1v3h4a1 1 0 0 1 1 1v5H2V8a1 1 0 0 1 1-1h4V4a1 1 0 0 1 1-1zm1 2v2h6V5z" +
    "M2 14.500h8V16.500h4v-2h8V20a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z",
  sim: "M6 1.500h8l5.500 5.500v14.500a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-19a1 1 0 0 1 1-1zM8 11v8.500h3.300V11zm4.700 0v8.500H16V11z",
  phone:
    "M6.600 2l3.400 5-2.200 2.400c1.200 2.700 3.200 4.800 6 6l2.600-2.100 4.900 3.300c-.3 3-2.300 5.300-5 5.200C9 21.500 2.500 14.500 2.200 7.500" +
    " 2.200 4.800 3.900 2.400 6.600 2z",
  clock:
    "M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 2.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z" +
    "M10.800 6h2.400v5.400l4 2.300-1.200 2-5.200-3z",
  rings:
    "M8.500 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 2.700a4.300 4.300 0 1 0 0 8.600 4.300 4.300 0 0 0 0-8.600z" +
    "M15.500 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 2.700a4.300 4.300 0 1 0 0 8.600 4.300 4.300 0 0 0 0-8.600z",
  bird:
    "M2 14c0-6 4.500-10 9.500-10 2.400 0 4.300 1 5.500 2.700L22.500 8.500 18.500 11c0 6-4 9.500-9 9.500H2.500l3-2.800C3.300 17 2 15.700 2 14z" +
    "M13.500 7.200a1.300 1.300 0 1 0 0 2.600 1.300 1.300 0 0 0 0-2.600z",
  hat: "M5.500 1.500h13v13.500h5v5.500H.5v-5.500h5zM5.500 10v2.700h13V10z",
  knight: "M12 1.500l9 3v6.500c0 5.500-3.800 9.700-9 11.500-5.200-1.800-9-6-9-11.500V4.500zM15.500 14a5 5 0 0 1-5-7.500 5.200 5.200 0 1 0 6.500 7z",
  rabbit:
    "M8 1.500c2 0 3 4 3.300 7.200h1.400C13 5.500 14 1.500 16 1.500c2.600 0 2 5.300.5 9 2 1.500 3 3.500 3 5.700 0 3.500-3.300 6.300-7.500 6.300" +
    "s-7.500-2.800-7.500-6.300c0-2.200 1-4.200 3-5.700C6 6.800 5.400 1.500 8 1.500zM9 14a1.300 1.300 0 1 0 0 2.600A1.300 1.300 0 0 0 9 14z" +
    "M15 14a1.300 1.300 0 1 0 0 2.600 1.300 1.300 0 0 0 0-2.600z",
  circle: "M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19z",
  triangle: "M12 2L23 21.500H1z",
  square: "M3.500 3.500h17v17h-17z",
  diamond: "M12 1l9.500 11L12 23 2.500 12z",
  heart: "M12 21.500C5 16 1.500 12.300 1.500 8.200 1.500 5 4 2.800 6.700 2.800c2.200 0 4 1.200 5.300 3.200 1.300-2 3.100-3.200 5.300-3.200 2.700 0 5.200 2.200 5.200 5.400 0 4.100-3.500 7.800-10.500 13.300z",
  cross: "M8.500 2h7v6.500H22v7h-6.500V22h-7v-6.500H2v-7h6.500z",
};

/** A drawing of one colour, which only decorates. */
function icon(name, className = "") {
  const path = shape("path", { d: ICONS[name], "fill-rule": "evenodd" });
  return shape("svg", { class: classes("t-icon", className), viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}
